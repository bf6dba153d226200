//! The rivals, each as a `Side`.

pub mod dodgy;
pub mod landmass;
pub mod waymark;
