/** The sample project, with a library beside it. */
export const sampleFiles: Readonly<Record<string, string>> = {
  'project/src/greet.js': 'export function greet(name) {\n  return "Hello, " + name;\n}\n',
  'project/src/main.js': 'import {greet} from "./greet.js";\n\n// greet the world\nconsole.log(greet("world"));\n',
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
    say: 'Tools can reach only the folder you start in. Allow one more:',
    argv: ['directory', 'add', '../library'],
  },
  {
    say:
      'The agent, in rehearsal: the answers of the model are recorded, but its calls are real, and rules ' +
      'decide about every call:',
    argv: ['-p', 'use a template string in greet', '--model', 'replay:rehearsal', '--approval-mode', 'auto_edit'],
  },
  {
    say: 'You can call every tool by hand, just as a model calls it. Rules allow reading without a question:',
    argv: ['tools', 'call', 'read_file', 'file_path=src/greet.js'],
  },
  {
    say: 'Code is read as code. Where is a function used? Comments and other things of that name do not count:',
    argv: ['tools', 'call', 'code_find', 'name=greet', 'what=references'],
  },
  {
    say: 'A shell line is analysed before it runs. Read-only commands need no question while you are present:',
    argv: ['tools', 'call', 'run_shell_command', 'command=ls src && cat src/greet.js'],
    asks: true,
  },
  {say: 'Why was it allowed, and what decided it?', argv: ['why']},
  {
    say: 'What would happen to another command, in each approval mode? Nothing runs:',
    argv: ['policy', 'explain', 'run_shell_command', 'command=git log && rm -rf src'],
  },
];
