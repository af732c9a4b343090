import type {ToolCall} from '@gemini-kernel/kernel';
import type {Decision, Rule, RuleSet} from '../rule.js';
import {compileRules, type CompiledRule} from './compile-rule.js';
import {gitPathOf} from './git-folder.js';
import {judgeLine} from './judge-line.js';
import {judgeChanges} from './judge-tree.js';
import {
  effectOf,
  judgeFile,
  judgeSubject,
  place,
  subjectsOf,
  systemOf,
  type Circumstances,
  type Judged,
  type JudgedPart,
  type Work,
  type World,
} from './judge-part.js';
import {selectRules, situationOf, type Selection, type Situation} from './selection.js';
import {strictness, type Witness} from './walk.js';

/** What came of judging a call. */
export interface Judgement {
  readonly decision: Decision;
  /** Every part that was judged; the first of the strictest decided. */
  readonly parts: readonly JudgedPart[];
}

const MOST_SELECTIONS = 500;

/** Rules, compiled once, that judge calls. */
export class Engine {
  readonly #rules: readonly CompiledRule[];
  readonly #strengths: ReadonlyMap<Rule, number>;
  readonly #selections = new Map<string, Selection>();

  constructor(
    readonly set: Pick<RuleSet, 'rules'>,
    private readonly world: World,
  ) {
    this.#rules = compileRules(set.rules, systemOf(world));
    this.#strengths = new Map(this.#rules.map(({rule, strength}) => [rule, strength]));
  }

  /** Judges a call; `witness` hears of every rule that was looked at. */
  async judge(call: Judged, circumstances: Circumstances, witness?: Witness): Promise<Judgement> {
    const {situation, selection} = this.#select(call, circumstances);
    const fallback = fallbackOf(circumstances);
    const strengthOf = (rule: Rule): number => this.#strengths.get(rule) ?? 0;
    const work: Work = {
      call,
      circumstances,
      root: circumstances.roots[0],
      situation,
      selection,
      fallback,
      strengthOf,
      world: this.world,
      witness,
    };
    const lines = call.touches.filter(({kind}) => kind === 'command');
    const parts: JudgedPart[] = [];
    if (lines.length === 0)
      parts.push(
        ...subjectsOf(call, circumstances).map((subject) => ({
          what: subject.path?.value ?? 'call',
          finding: judgeSubject(work, subject),
        })),
      );
    for (const line of lines) parts.push(...(await judgeLine(work, line)));
    for (const touch of lines.length > 0 ? call.touches : [])
      if (touch.kind === 'path') parts.push(judgeFile(work, place(touch.value, circumstances.roots), effectOf(touch)));
    if (call.effect === 'delete' || call.effect === 'move')
      parts.push(
        ...judgeChanges(
          work,
          call.touches.flatMap(({kind, value}) =>
            kind === 'path' ? [{path: value, what: value, reach: 'whole' as const}] : [],
          ),
        ),
      );
    parts.push(...(await judgeGitFolders(work, call.touches)));
    const decision = parts.reduce<Decision>(
      (a, {finding: {decision: b}}) => (strictness[b] > strictness[a] ? b : a),
      'allow',
    );
    return {decision, parts};
  }

  /**
   * Whether each command of a line is one that the product's own rules let pass where a person could be asked, and
   * nothing about it is open: those rules name only programs that look.
   */
  async onlyReads(call: Judged, circumstances: Circumstances): Promise<boolean> {
    if (!call.touches.some(({kind}) => kind === 'command')) return false;
    const {decision, parts} = await this.judge(call, {
      ...circumstances,
      mode: 'default',
      interactive: true,
      trusted: true,
    });
    const bases = parts.flatMap(({finding: {base}}) => base ?? []);
    return (
      decision === 'allow' &&
      bases.length > 0 &&
      bases.every(({source, command}) => source.tier === 'default' && command !== undefined)
    );
  }

  /** Judges files that are written without a call, as one that writes them would be by the rules that name paths. */
  judgeFiles(paths: readonly string[], circumstances: Circumstances): readonly JudgedPart[] {
    const call: Judged = {tool: 'write_file', effect: 'edit', annotations: {}, input: {}, touches: []};
    const {situation, selection} = this.#select(call, circumstances);
    const strengthOf = (rule: Rule): number => this.#strengths.get(rule) ?? 0;
    const work: Work = {
      call,
      circumstances,
      root: circumstances.roots[0],
      situation,
      selection,
      fallback: 'ask',
      strengthOf,
      world: this.world,
      witness: undefined,
    };
    return paths.map((path) => judgeFile(work, place(path, circumstances.roots), 'edit'));
  }

  /** Whether some call of the tool could pass: false when it is denied whatever its arguments are. */
  canPass(call: Pick<ToolCall, 'tool' | 'annotations' | 'server' | 'subagent'>, circumstances: Circumstances): boolean {
    const {selection} = this.#select({...call, input: {}}, circumstances);
    for (const {rule, isPlain, tightens} of selection.rules.filter((one) => !one.rule.sensitive)) {
      if (isPlain && (tightens ? rule.decision === 'deny' : true)) return rule.decision !== 'deny';
      if (!isPlain && !tightens && rule.decision !== 'deny') return true;
    }
    return fallbackOf(circumstances) !== 'deny';
  }

  #select(
    call: Pick<Judged, 'tool' | 'input' | 'annotations' | 'server' | 'subagent'>,
    {mode, interactive, trusted}: Circumstances,
  ): {situation: Situation; selection: Selection} {
    const situation = situationOf(call, {mode, interactive, trusted});
    const {names, server, subagent, annotations} = situation;
    const key = JSON.stringify([names, mode, interactive, trusted, server, subagent, annotations]);
    const known = this.#selections.get(key);
    if (known) return {situation, selection: known};
    if (this.#selections.size >= MOST_SELECTIONS) this.#selections.clear();
    const selection = selectRules(this.#rules, situation);
    this.#selections.set(key, selection);
    return {situation, selection};
  }
}

/** What is written into a folder that git would take for a repository counts as written into `.git`. */
async function judgeGitFolders(work: Work, touches: Judged['touches']): Promise<readonly JudgedPart[]> {
  const parts: JudgedPart[] = [];
  for (const {kind, access, value} of touches) {
    const path =
      kind === 'path' && access === 'write' ? await gitPathOf(work.world.disk, value.replaceAll('\\', '/')) : undefined;
    if (path === undefined) continue;
    const part = judgeFile(work, place(path, work.circumstances.roots), 'edit');
    if (part.finding.decision !== 'allow') parts.push({...part, what: value});
  }
  return parts;
}

/** What holds when no rule speaks. */
function fallbackOf({mode, interactive}: Circumstances): Decision {
  if (mode === 'yolo') return 'allow';
  return interactive ? 'ask' : 'deny';
}
