//! The functions that the page calls.
//!
//! The page asks for a buffer, writes a message into it, and calls [`surefoot_answer`], which returns
//! where the answer lies. Both stay where they are until the next call.

#![allow(unsafe_code)] // Exporting a function by its name; there is no other unsafe code.

use std::cell::RefCell;

use crate::session::Session;

#[derive(Default)]
struct Door {
    session: Session,
    request: Vec<u8>,
    answer: Vec<u8>,
}

thread_local! {
    static DOOR: RefCell<Door> = RefCell::default();
}

/// Makes room for a message of so many bytes, and returns where to write it.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_request(bytes: usize) -> *mut u8 {
    DOOR.with_borrow_mut(|door| {
        door.answer = Vec::new();
        door.request.clear();
        door.request.resize(bytes, 0);
        door.request.as_mut_ptr()
    })
}

/// Answers the message. Returns where the answer lies; [`surefoot_answer_length`] tells how long it is.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_answer() -> *const u8 {
    DOOR.with_borrow_mut(|door| {
        let request = std::mem::take(&mut door.request);
        door.answer = door.session.answer(&request);
        door.answer.as_ptr()
    })
}

/// The length of the last answer [bytes].
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_answer_length() -> usize {
    DOOR.with_borrow(|door| door.answer.len())
}
