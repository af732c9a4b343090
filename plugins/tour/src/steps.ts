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
  {
    say: 'Tools reach the folder you start in, and no other. Let them reach one more:',
    argv: ['directory', 'add', '../library'],
  },
  {
    say:
      'The agent, in rehearsal: what the model says was written beforehand; what it does here is real, and rules ' +
      'judge every call:',
    argv: ['-p', 'use a template string in greet', '--model', 'replay:rehearsal', '--approval-mode', 'auto_edit'],
  },
  {
    say: 'Every tool can be called by hand, just as a model calls it. Rules let it read unasked:',
    argv: ['tools', 'call', 'read_file', 'file_path=src/greet.js'],
  },
  {
    say: 'A shell line is read before it runs; commands that only look need no question while you are there:',
    argv: ['tools', 'call', 'run_shell_command', 'command=ls src && cat src/greet.js'],
    asks: true,
  },
  {say: 'Why was it allowed, and who looked at it?', argv: ['why']},
  {
    say: 'And what would hold for another one, in each approval mode? Nothing is run:',
    argv: ['policy', 'explain', 'run_shell_command', 'command=git log && rm -rf src'],
  },
];
