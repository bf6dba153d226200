//! Every ray and shape cast.
