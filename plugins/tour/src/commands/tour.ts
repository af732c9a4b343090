import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {KernelError, type FormOption} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import {sampleFiles, steps} from '../steps.js';

/** How a command ends that Ctrl+C stopped at its own question. */
const INTERRUPTED = 130;

const NEXT: readonly FormOption[] = [
  {value: 'run', label: 'run', key: 'r'},
  {value: 'leave', label: 'leave', key: 'q'},
];

interface Toured {
  readonly steps: readonly {readonly command: string; readonly code: number}[];
}

export default class Tour extends KernelCommand {
  static override summary = 'Take a one-minute tour of the program on a sample project.';
  static override description =
    'Creates a small project in a temporary folder, runs real commands on it, and removes it. The agent in it ' +
    'is a rehearsal: its model is a recording. At a terminal it waits for Enter between the steps; without one it ' +
    'runs without stops.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<Toured> {
    await this.parse(Tour);
    const {interactive} = this.session;
    const folder = await mkdtemp(join(tmpdir(), 'gemini-tour-'));
    try {
      for (const [name, content] of Object.entries(sampleFiles)) {
        await mkdir(dirname(join(folder, name)), {recursive: true});
        await writeFile(join(folder, name), content);
      }
      this.log(`${this.style('strong', 'gemini')} is an AI coding agent made of plugins.`);
      this.log(`This is a rehearsal on a sample project in ${folder}: every command below really runs.\n`);
      return {steps: await this.walk(folder, interactive)};
    } finally {
      await rm(folder, {recursive: true, force: true});
    }
  }

  /** Whether to run the next step. Without a person, always. */
  private async isWanted(command: string): Promise<boolean> {
    const answer = await this.conversation.ask({
      title: `$ ${command}`,
      about: {kind: 'tour', command},
      fields: [{name: 'next', label: 'Run it?', kind: 'choice', options: NEXT, default: 'run'}],
    });
    return answer.outcome === 'nobody' || (answer.outcome === 'answered' && answer.values['next'] === 'run');
  }

  private async walk(folder: string, interactive: boolean): Promise<Toured['steps']> {
    const {signal} = this.host;
    // The sample is ours: it must not touch the person's own settings, trusted folders and conversations.
    const variables = {GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_HOME: join(folder, 'home')};
    const done: {command: string; code: number}[] = [];
    for (const [index, {say, argv, asks = false}] of steps.entries()) {
      const words = asks && !interactive ? [...argv, '--yes'] : argv;
      const command = `gemini ${words.map(quote).join(' ')}`;
      this.log(`${this.style('dim', `${index + 1}/${steps.length}`)} ${say}`);
      if (!interactive) this.log(this.style('strong', `$ ${command}`));
      else if (!(await this.isWanted(command))) return done;
      const {code, output} = await this.host.run(words, {
        directory: join(folder, 'project'),
        show: !this.jsonEnabled(),
        variables,
      });
      // Ctrl+C reaches both processes; do not continue after it.
      signal.throwIfAborted();
      if (code === INTERRUPTED) return done;
      done.push({command, code});
      if (code !== 0 && !(asks && interactive))
        throw new KernelError('TOUR_FAILED', `"${command}" ended with code ${code}. ${output}`.trim(), {
          hint: 'Run gemini doctor to see whether a plugin is broken.',
        });
      this.log('');
    }
    this.log(
      'Next: set GEMINI_API_KEY, or choose a local model (gemini model openai:<name> --persist); then gemini in a ' +
        'folder of yours. Also gemini policy list, gemini doctor, and docs/write-a-plugin.md to add a capability of ' +
        'your own.',
    );
    return done;
  }
}

/** A word as a shell would need it. */
function quote(word: string): string {
  return /^[\w./=:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
