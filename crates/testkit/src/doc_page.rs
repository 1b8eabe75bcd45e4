//! Commands on a page of the documentation, run as they are written.

use std::{env, fs, path::Path, process::Command};

use crate::Program;

/// A page whose steps are code blocks with the language `sh` and a name.
#[derive(Debug)]
pub struct DocPage {
    name: &'static str,
    text: String,
}

impl DocPage {
    /// A page in `docs/`.
    pub fn open(name: &'static str) -> Self {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs")).join(name);
        Self { name, text: fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}")) }
    }

    /// The names of all steps, in the order of the page.
    pub fn steps(&self) -> Vec<&str> {
        self.text.lines().filter_map(|line| line.strip_prefix("```sh ")).collect()
    }

    /// The first line of each block of commands that is no step.
    pub fn other_commands(&self) -> Vec<&str> {
        let mut lines = self.text.lines();
        std::iter::from_fn(|| lines.find(|line| *line == "```sh").and_then(|_| lines.next())).collect()
    }

    fn commands(&self, step: &str) -> &str {
        let begin = format!("```sh {step}\n");
        let found = self.text.find(&begin).unwrap_or_else(|| panic!("{} has no step {step}", self.name));
        let from = found + begin.len();
        let to = self.text[from..].find("```").expect("the end of the block");
        &self.text[from..from + to]
    }

    /// Runs one step in a shell, and returns its output. It must succeed.
    pub fn run(&self, step: &str, program: &Program, variables: &[(&str, &str)]) -> String {
        let mut shell = Command::new("bash");
        program.apply_environment(&mut shell);
        let path = env::var("PATH").expect("the variable PATH");
        let binary = Program::binary();
        let binary_dir = binary.parent().unwrap_or(Path::new("/"));
        shell.env("PATH", format!("{}:{path}", binary_dir.display()));
        shell.envs(variables.iter().copied());
        let output = shell.args(["-euo", "pipefail", "-c", self.commands(step)]).output().expect("bash runs");
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{step}: {}\n{stdout}\n{stderr}", output.status);
        stdout.trim().to_owned()
    }
}
