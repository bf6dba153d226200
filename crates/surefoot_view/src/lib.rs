//! Shows grids in a browser.
