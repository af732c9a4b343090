import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {Decision, Mode, Rule} from '../../contract.js';
import {emptyDisk} from '../../engine/disk.js';
import {Engine} from '../../engine/engine.js';
import type {Circumstances, Judged, World} from '../../engine/judge-part.js';
import {sayWhy} from '../../engine/say.js';
import {strictness} from '../../engine/walk.js';
import {changedRules} from '../../changed-rules.js';
import {groupBy, type Group} from '../../group-by.js';
import {isCases} from '../../load-policy.js';
import {defaultsFolder} from '../../prepared-rules.js';
import {findDefaultFiles, findNamedFiles} from '../../read/find-rule-files.js';
import {readRuleFiles} from '../../read/read-rule-file.js';
import {sampleCalls} from '../../sample-calls.js';

interface Loosened {
  readonly tool: string;
  readonly input: unknown;
  readonly server?: string;
  readonly subagent?: string;
  readonly caller?: string;
  readonly mode: Mode;
  readonly interactive: boolean;
  readonly trusted: boolean;
  readonly before: Decision;
  readonly after: Decision;
  /** Why it is allowed now. */
  readonly reason: string;
}

interface Proof {
  readonly tried: number;
  /** How many rules only one side has. */
  readonly changed: number;
  readonly loosened: readonly Loosened[];
}

const SHOWN = 20;

export default class PolicyProve extends KernelCommand {
  static override summary = 'Look for a call that new rules allow and old ones did not.';
  static override description =
    'Both sets stand on the rules of the product, as rules of the user would. Calls are made from the conditions ' +
    'of every rule that only one side has, and judged by both sets in every mode, with and without a person, ' +
    'where trusted and not. What is found is a fact. Finding nothing proves only that these calls are not ' +
    'among what was loosened. Safety checkers are not compared. The exit code is 1 when something was.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> policies.old policies.new',
    '<%= config.bin %> <%= command.id %> a.toml b.toml --json',
  ];
  static override args = {
    old: Args.string({description: 'File or folder of the rules so far.', required: true, ignoreStdin: true}),
    new: Args.string({description: 'File or folder of the new rules.', required: true, ignoreStdin: true}),
  };
  static override flags = {asks: Flags.boolean({description: 'Also calls that were denied and are asked now.'})};

  async run(): Promise<Proof> {
    const {args, flags} = await this.parse(PolicyProve);
    const [before, after] = [await this.#read(args.old), await this.#read(args.new)];
    const changed = changedRules(before, after);
    const {loosened, tried} = await this.#compare({before, after, changed}, flags.asks);
    this.#show({tried, changed: changed.length, loosened});
    if (loosened.length > 0) this.host.end(1);
    return {tried, changed: changed.length, loosened};
  }

  async #compare(
    {
      before,
      after,
      changed,
    }: {readonly before: readonly Rule[]; readonly after: readonly Rule[]; readonly changed: readonly Rule[]},
    asks: boolean,
  ): Promise<Pick<Proof, 'tried' | 'loosened'>> {
    const {environment} = this.kernel;
    const {signal} = this.host;
    const world: World = {
      platform: environment.platform,
      home: environment.home,
      openShellReader: async () => (await import('../../bash/open-reader.js')).openShellReader(),
      realPaths: (paths) => Promise.resolve(paths),
      disk: emptyDisk,
    };
    const [old, fresh] = [new Engine({rules: before}, world), new Engine({rules: after}, world)];
    const tools = new Map((await this.conversation.tools()).map(({name, effect}) => [name, effect]));
    const loosened: Loosened[] = [];
    let tried = 0;
    for (const {call, circumstances} of sampleCalls(changed, {
      root: slashed(environment.cwd),
      home: slashed(environment.home),
      tools,
    })) {
      signal.throwIfAborted();
      const [was, is] = [await old.judge(call, circumstances), await fresh.judge(call, circumstances)];
      tried += 1;
      const isLooser =
        is.decision === 'allow' ? was.decision !== 'allow' : asks && strictness[is.decision] < strictness[was.decision];
      const {tool, input} = call;
      if (isLooser)
        loosened.push({
          ...pick(circumstances),
          ...pickWho(call),
          tool,
          input,
          before: was.decision,
          after: is.decision,
          reason: sayWhy(is, circumstances.interactive),
        });
    }
    return {tried, loosened};
  }

  #show({tried, changed, loosened}: Proof): void {
    const calls = groupBy(loosened, ({tool, input, server, subagent, caller}) => [
      tool,
      input,
      server,
      subagent,
      caller,
    ]);
    for (const alike of calls.slice(0, SHOWN)) this.#showCall(alike);
    if (calls.length > SHOWN) this.log(this.style('dim', `… and ${calls.length - SHOWN} more (--json lists all).`));
    if (changed === 0) this.log('Both have the same rules, so every call is judged alike.');
    else if (loosened.length === 0)
      this.log(
        `None of the ${tried} calls that were tried is allowed by the new rules and was not before ` +
          `(${count(changed, 'rule')} changed).`,
      );
    else
      this.log(
        `${count(calls.length, 'call')} that the new rules are looser about, of ${tried} tried ` +
          `(${count(changed, 'rule')} changed).`,
      );
  }

  /** One call with all the circumstances under which it is looser. */
  #showCall(all: Group<Loosened>): void {
    const [{tool, input, server, subagent, caller, before, after, reason}] = all;
    const who = [server && `of server ${server}`, subagent && `by ${subagent}`, caller && `for caller ${caller}`]
      .map((part) => (part ? ` ${part}` : ''))
      .join('');
    const limits = [
      narrow(all, 'interactive', ['with a person', 'without a person']),
      narrow(all, 'trusted', ['where trusted', 'where not trusted']),
    ];
    const only = limits
      .filter((limit) => limit !== undefined)
      .map((limit) => `, only ${limit}`)
      .join('');
    this.log(
      `${this.style('bad', `${before} -> ${after}`)}  ${tool}${who} ${JSON.stringify(input)}\n    ${reason}\n    ` +
        `${this.style('dim', `In mode ${[...new Set(all.map(({mode}) => mode))].join(', ')}${only}.`)}`,
    );
  }

  async #read(path: string): Promise<readonly Rule[]> {
    const {environment} = this.kernel;
    const found = findNamedFiles([resolve(environment.cwd, path)], environment.platform);
    const defaults = findDefaultFiles(defaultsFolder(), environment.platform);
    const {rules, problems} = await readRuleFiles(
      [...defaults, ...found.files].filter((one) => !isCases(one.file)),
      {knownTools: []},
    );
    const fault = [...found.problems, ...problems].find(({severity, tier}) => severity === 'error' && tier === 'user');
    if (fault)
      throw new KernelError('POLICY_UNREADABLE', `The rules in ${path} cannot be compared: ${fault.message}`, {
        hint: `gemini policy check ${path} shows everything that is wrong.`,
      });
    return rules;
  }
}

function pick({
  mode,
  interactive,
  trusted,
  caller,
}: Circumstances): Pick<Loosened, 'mode' | 'interactive' | 'trusted' | 'caller'> {
  return {mode, interactive, trusted, ...(caller === undefined ? {} : {caller})};
}

function pickWho({server, subagent}: Judged): Pick<Loosened, 'server' | 'subagent'> {
  return {...(server === undefined ? {} : {server}), ...(subagent === undefined ? {} : {subagent})};
}

/** What all of these have in common, when they are all alike in it. */
function narrow(
  all: readonly Loosened[],
  key: 'interactive' | 'trusted',
  [yes, no]: readonly [string, string],
): string | undefined {
  const values = new Set(all.map((one) => one[key]));
  return values.size > 1 ? undefined : values.has(true) ? yes : no;
}

function count(size: number, noun: string): string {
  return `${size} ${noun}${size === 1 ? '' : 's'}`;
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
