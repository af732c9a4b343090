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
  {say: 'What they reach now, and why:', argv: ['directory', 'show']},
  {say: 'A tool, called as a model would call it. No policy is installed yet that lets it read unasked, so a person approves it, here or with --yes:', argv: ['tools', 'call', 'read_file', 'file_path=src/greet.js'], asks: true},
  {
    say: 'An edit. At a terminal the change is shown before it happens:',
    argv: ['tools', 'call', 'replace', 'file_path=src/greet.js', 'old_string="Hello, " + name', 'new_string=`Hello, ${name}!`', 'instruction=use a template'],
    asks: true,
  },
  {say: 'The file now:', argv: ['tools', 'call', 'read_file', 'file_path=src/greet.js'], asks: true},
];
