//! Checks values against the schemas of the interface's description: the part of JSON Schema that it uses.
//!
//! It is stricter than the standard: a field that is not described is an error, unless the schema has
//! `additionalProperties`. So a new field without a description fails a test.

use serde_json::Value;

/// Keywords that say nothing about a value.
const REMARKS: [&str; 4] = ["description", "examples", "format", "title"];

/// Returns what is wrong with a value, with its place, or nothing.
pub(super) fn errors(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    Check { document, errors: &mut errors }.value(schema, value, "answer");
    errors
}

struct Check<'a> {
    document: &'a Value,
    errors: &'a mut Vec<String>,
}

impl Check<'_> {
    fn value(&mut self, schema: &Value, value: &Value, place: &str) {
        let schema = schema.as_object().unwrap_or_else(|| panic!("{place}: {schema} is no schema"));
        let is_closed = schema.contains_key("properties") && !schema.contains_key("additionalProperties");
        for (keyword, wanted) in schema {
            match keyword.as_str() {
                "$ref" => {
                    let target = wanted.as_str().unwrap().strip_prefix('#').unwrap();
                    let target = self.document.pointer(target).unwrap_or_else(|| panic!("no {wanted}"));
                    self.value(target, value, place);
                }
                "type" => {
                    let types = wanted.as_array().map_or(std::slice::from_ref(wanted), Vec::as_slice);
                    if !types.iter().any(|name| is_a(name.as_str().unwrap(), value)) {
                        self.errors.push(format!("{place}: {value} is no {wanted}"));
                    }
                }
                "enum" => {
                    if !wanted.as_array().unwrap().contains(value) {
                        self.errors.push(format!("{place}: {value} is none of {wanted}"));
                    }
                }
                "const" => {
                    if wanted != value {
                        self.errors.push(format!("{place}: {value} is not {wanted}"));
                    }
                }
                "oneOf" => {
                    let all = wanted.as_array().unwrap().iter();
                    let outcomes: Vec<_> = all.map(|schema| errors(self.document, schema, value)).collect();
                    if outcomes.iter().filter(|errors| errors.is_empty()).count() != 1 {
                        self.errors.push(format!("{place}: {value} is not one of them: {outcomes:?}"));
                    }
                }
                "required" => {
                    let names = wanted.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                    let missing = names.filter(|name| value.is_object() && value.get(name).is_none());
                    self.errors.extend(missing.map(|name| format!("{place}: has no {name}")));
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.value(wanted, item, &format!("{place}[{index}]"));
                    }
                }
                "properties" => {
                    for (name, field) in value.as_object().into_iter().flatten() {
                        match wanted.get(name) {
                            Some(schema) => self.value(schema, field, &format!("{place}.{name}")),
                            None if is_closed => {
                                self.errors.push(format!("{place}: {name} is not described"));
                            }
                            None => {}
                        }
                    }
                }
                "additionalProperties" => {
                    let known =
                        |name: &str| schema.get("properties").is_some_and(|all| all.get(name).is_some());
                    let others = value.as_object().into_iter().flatten();
                    for (name, field) in others.filter(|(name, _)| wanted.is_object() && !known(name)) {
                        self.value(wanted, field, &format!("{place}.{name}"));
                    }
                }
                _ => assert!(REMARKS.contains(&keyword.as_str()), "{place}: {keyword} is not checked here"),
            }
        }
    }
}

fn is_a(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("{name} is no type"),
    }
}
