//! What an agent reads about tools: their list, and what is wrong with the arguments of a call.

mod argument_errors;

use std::fmt::Write;

use serde_json::{Value, json};
use svc_mcp_tools::{Registry, registry::Entry};

const MAX_LIST_BYTES: usize = 40_000;
/// Of descriptions and input schemas, which clients pass to the model.
const MAX_TOKENS: usize = 6_000;
const CHARS_PER_TOKEN: usize = 4;

#[test]
fn the_list_of_all_tools_is_short() {
    let definitions: Vec<Value> = Registry::default().entries().map(Entry::definition).collect();
    let bytes = json!({"tools": definitions}).to_string().len();
    let chars =
        |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned).chars().count();
    let (mut tokens, mut sizes) = (0, String::new());
    for tool in &definitions {
        let [name, description, input, output] =
            ["name", "description", "inputSchema", "outputSchema"].map(|field| &tool[field]);
        tokens += (chars(description) + chars(input)).div_ceil(CHARS_PER_TOKEN);
        let sizes_of_tool = [description, input, output].map(chars);
        let _ = write!(sizes, "\n{name}: description, input schema, output schema: {sizes_of_tool:?}");
    }
    println!("{bytes} bytes, {tokens} tokens{sizes}");
    assert!(bytes <= MAX_LIST_BYTES, "the list has {bytes} bytes:{sizes}");
    assert!(tokens <= MAX_TOKENS, "descriptions and input schemas have {tokens} tokens:{sizes}");
}
