import {Args, Flags} from '@oclif/core';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {HookEvent, HookInfo, HookTrial} from '../../contract.js';
import {events, isEvent} from '../../events.js';
import {findHooks} from '../../find-hook.js';
import {isTable} from '../../is-table.js';
import {isAboutTools, makeInput} from '../../make-input.js';
import {selectHooks} from '../../match.js';
import {outcomes} from '../../outcomes.js';
import {judgeTrial} from '../../prove-hook.js';

interface Tested extends HookTrial {
  readonly matches: boolean;
  /** What the trial says about the probe of the hook, if the event is the one that it declares. */
  readonly proof?: {readonly state: string; readonly reason: string};
}

export default class HooksTest extends KernelCommand {
  static override summary = 'Run a hook on a made event and show what it decides.';
  static override description =
    'The hook runs as it would in a conversation, also when it is disabled. What it decides has no effect. A hook of ' +
    'the project runs only after you have agreed to it. Without --tool and --input, it is the event that the probe ' +
    'of the hook declares, if it has one.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> guard',
    `<%= config.bin %> <%= command.id %> guard --event BeforeTool --tool run_shell_command --input '{"command": "ls"}'`,
    `<%= config.bin %> <%= command.id %> tests --event AfterAgent --input '{"prompt_response": "Done."}'`,
  ];
  static override args = {
    hook: Args.string({description: 'Name, command or id of the hook.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    event: Flags.string({description: 'The event, if the hook is configured for several.'}),
    tool: Flags.string({description: 'The tool of a made call.'}),
    input: Flags.string({description: 'JSON object: the arguments of the call, or the fields of another event.'}),
  };
  static override slash = true;

  async run(): Promise<Tested> {
    const {args, flags} = await this.parse(HooksTest);
    const hooks = await this.service('hooks');
    const hook = chooseHook(await hooks.list(), args.hook, flags.event);
    const isMade = flags.tool !== undefined || flags.input !== undefined;
    const declared = isMade ? undefined : hook.probe;
    const tool = flags.tool ?? declared?.tool ?? 'run_shell_command';
    const input = makeInput(hook, tool, declared?.input ?? readInput(flags.input));
    const matches = isFor(hook, tool);
    const trial = await hooks.test(hook.id, input, new AbortController().signal);
    this.show(trial);
    if (!matches) this.log(`Its matcher ${JSON.stringify(hook.matcher)} is not for ${tool}: there it would not run.`);
    if (!declared || !matches) return {...trial, matches};
    const proof = judgeTrial(hook, trial);
    this.log(`${this.style(proof.state === 'proven' ? 'good' : 'bad', `${proof.state}:`)} ${proof.reason}`);
    return {...trial, matches, proof};
  }

  private show({runs, verdict}: HookTrial): void {
    for (const {hook, outcome, exitCode, ms, output, sentence} of runs) {
      const code = exitCode === undefined ? '' : `, exit code ${exitCode}`;
      this.log(`${hook}: ${outcome}${code}, ${ms} ms. It ${outcomes[outcome].what}.`);
      if (sentence !== undefined) this.log(sentence);
      if (output !== '') this.log(output);
    }
    const {decision, reason, stop, context, messages, specific} = verdict;
    this.log(`${this.style('strong', 'Decision:')} ${decision ?? 'none'}${reason === undefined ? '' : `: ${reason}`}`);
    if (stop !== undefined) this.log(`Stops the agent: ${stop}`);
    if (context !== undefined) this.log(`For the model: ${context}`);
    for (const message of messages) this.log(`For you: ${message}`);
    const {additionalContext: __, ...rest} = specific;
    if (Object.keys(rest).length > 0) this.log(`Changes: ${JSON.stringify(rest)}`);
  }
}

interface KnownHook extends HookInfo {
  readonly event: HookEvent;
}

/** The hook that was named, at the event that was named. Throws KernelError HOOK_UNKNOWN. */
function chooseHook(hooks: readonly HookInfo[], word: string, event: string | undefined): KnownHook {
  if (event !== undefined && !isEvent(event))
    throw new KernelError('HOOK_UNKNOWN', `There is no event ${JSON.stringify(event)}.`, {
      hint: `Events: ${Object.keys(events).join(', ')}.`,
    });
  const found = findHooks(hooks, word).find((one) => one.event === (event ?? one.event));
  if (found && isEvent(found.event)) return {...found, event: found.event};
  throw new KernelError('HOOK_UNKNOWN', `The hook ${JSON.stringify(word)} has no event ${event ?? ''}.`);
}

function isFor({leftOut: _, ...hook}: KnownHook, tool: string): boolean {
  return !isAboutTools(hook.event) || selectHooks([hook], hook.event, tool).length > 0;
}

function readInput(text = '{}'): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new KernelError('HOOK_INPUT_INVALID', `--input is not JSON: ${messageOf(cause)}`, {cause});
  }
  if (isTable(value)) return value;
  throw new KernelError('HOOK_INPUT_INVALID', `--input must be a JSON object, not ${text.slice(0, 100)}.`);
}
