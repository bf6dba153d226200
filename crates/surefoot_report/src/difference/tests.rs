//! Tests of whole differences.
