/** The sample project, with a library beside it. */
export const sampleFiles: Readonly<Record<string, string>> = {
  'project/src/greet.js': 'export function greet(name) {\n  return "Hello, " + name;\n}\n',
  'project/README.md': '# Sample\n\nA project to walk through.\n',
  'library/index.js': 'export const version = 1;\n',
};

export interface Step {
  readonly say: string;
  readonly argv: readonly string[];
  /** Whether a person is asked on the way. */
  readonly asks?: boolean;
}

/** The walk, in order. */
export const steps: readonly Step[] = [
  {say: 'Tools reach the folder you start in, and no other. Let them reach one more:', argv: ['directory', 'add', '../library']},
  {say: 'A tool, called as a model would call it. Rules let it read unasked:', argv: ['tools', 'call', 'read_file', 'file_path=src/greet.js']},
  {
    say: 'An edit is asked about, with the change shown; without a terminal only --yes approves it:',
    argv: ['tools', 'call', 'replace', 'file_path=src/greet.js', 'old_string="Hello, " + name', 'new_string=`Hello, ${name}!`', 'instruction=use a template'],
    asks: true,
  },
  {say: 'A shell line is read before it runs; commands that only look need no question while you are there:', argv: ['tools', 'call', 'run_shell_command', 'command=ls src && cat src/greet.js'], asks: true},
  {say: 'Why was it allowed, and who looked at it?', argv: ['why']},
  {say: 'And what would hold for another one, in each approval mode? Nothing is run:', argv: ['policy', 'explain', 'run_shell_command', 'command=git log && rm -rf src']},
];
