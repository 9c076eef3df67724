//! lexio
