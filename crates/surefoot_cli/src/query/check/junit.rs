//! Results as JUnit XML, the form that build servers read.
//!
//! One suite for the file of checks, one case for each check and agent. Cases have the attributes `file`
//! and `line`, so that a failure is shown beside the check.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use surefoot_report::checks::{CheckReport, CheckResult};

/// The bytes of the file.
///
/// # Errors
/// None that is known: memory takes all.
pub fn xml(report: &CheckReport, grid: &str, checks: &str) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let (tests, failures) = (report.results.len().to_string(), report.failed.to_string());
    let counts = || {
        [("tests", tests.as_str()), ("failures", failures.as_str()), ("errors", "0")].into_iter()
    };
    let suite = clean(&format!("{checks} on {grid}"));
    let suites = writer.create_element("testsuites").with_attribute(("name", "surefoot check"));
    suites.with_attributes(counts()).write_inner_content(|writer| {
        let element = writer.create_element("testsuite").with_attribute(("name", suite.as_str()));
        element.with_attributes(counts()).write_inner_content(|writer| {
            report.results.iter().try_for_each(|result| case(writer, result, checks))
        })?;
        Ok(())
    })?;
    let mut bytes = writer.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}

fn case(writer: &mut Writer<Vec<u8>>, result: &CheckResult, checks: &str) -> io::Result<()> {
    let (name, file) = (clean(&result.title()), clean(checks));
    let line = result.line.map(|line| line.to_string());
    let mut case = writer.create_element("testcase").with_attributes([
        ("classname", result.check),
        ("name", name.as_str()),
        ("file", file.as_str()),
    ]);
    if let Some(line) = &line {
        case = case.with_attribute(("line", line.as_str()));
    }
    if result.holds {
        case.write_empty()?;
        return Ok(());
    }
    case.write_inner_content(|writer| {
        let (found, text) = (clean(&result.found), clean(&result.failure_lines().join("\n")));
        let failure = writer.create_element("failure");
        let failure = failure.with_attributes([("type", result.check), ("message", &found)]);
        failure.write_text_content(BytesText::new(&text))?;
        Ok(())
    })?;
    Ok(())
}

/// Text without the characters that XML has not: names may have any.
fn clean(text: &str) -> String {
    let is_allowed = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
    let is_allowed = |c: char| is_allowed(c) && !matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if is_allowed(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}
