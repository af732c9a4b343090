import type {ToolCall} from '@gemini-kernel/kernel';
import type {Decision, Rule, RuleSet} from '../rule.js';
import {compileRules} from './compile-rule.js';
import {gitPathOf} from './git-folder.js';
import {judgeLine} from './judge-line.js';
import {judgeChange} from './judge-tree.js';
import {
  effectOf,
  judgePath,
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
import {RulesByTool} from './rules-by-tool.js';
import {indexRules, situationOf, type Selection} from './selection.js';
import {strictness, type Witness} from './walk.js';

/** What came of judging a call. */
export interface Judgement {
  readonly decision: Decision;
  /** Every part that was judged; the first of the strictest decided. */
  readonly parts: readonly JudgedPart[];
  /**
   * Whether it is a shell line of which the product's own rules let each command pass, with nothing open about it. In
   * the default mode those rules name only programs that look.
   */
  readonly onlyReads: boolean;
}

const MOST_SELECTIONS = 500;

/** Rules, compiled once, that judge calls. */
export class Engine {
  readonly #rules: RulesByTool;
  readonly #strengths: ReadonlyMap<Rule, number>;
  readonly #selections = new Map<string, Selection>();

  constructor(
    readonly set: Pick<RuleSet, 'rules'>,
    private readonly world: World,
  ) {
    const rules = compileRules(set.rules, systemOf(world));
    this.#rules = new RulesByTool(rules);
    this.#strengths = new Map(rules.map(({rule, strength}) => [rule, strength]));
  }

  /** Judges a call; `witness` hears of every rule that was looked at. */
  async judge(call: Judged, circumstances: Circumstances, witness?: Witness): Promise<Judgement> {
    const work = this.#work(call, circumstances, {fallback: fallbackOf(circumstances), witness});
    const lines = call.touches.filter(({kind}) => kind === 'command');
    const parts: JudgedPart[] = lines.length === 0 ? [...judgeSubjects(work)] : [];
    for (const line of lines) parts.push(...(await judgeLine(work, line)));
    // What such a call does to a file is not its effect, so rules about effects on files would not see it.
    const isBeside = lines.length > 0 || call.effect === 'other';
    for (const touch of isBeside ? call.touches : [])
      if (touch.kind === 'path') parts.push(judgePath(work, place(touch.value, circumstances.roots), effectOf(touch)));
    parts.push(...judgeMoved(work), ...(await judgeGitFolders(work, call.touches)));
    const decision = parts.reduce<Decision>(
      (a, {finding: {decision: b}}) => (strictness[b] > strictness[a] ? b : a),
      'allow',
    );
    return {decision, parts, onlyReads: decision === 'allow' && lines.length > 0 && isAllOfProduct(parts)};
  }

  /** Judges files that are written without a call, as one that writes them would be by the rules that name paths. */
  judgeFiles(paths: readonly string[], circumstances: Circumstances): readonly JudgedPart[] {
    const call: Judged = {tool: 'write_file', effect: 'edit', annotations: {}, input: {}, touches: []};
    const work = this.#work(call, circumstances, {fallback: 'ask'});
    return paths.map((path) => judgePath(work, place(path, circumstances.roots), 'edit'));
  }

  /** Whether some call of the tool could pass: false when it is denied whatever its arguments are. */
  canPass(
    call: Pick<ToolCall, 'tool' | 'annotations' | 'server'>,
    circumstances: Circumstances,
    subagent?: string,
  ): boolean {
    const caller = subagent === undefined ? {} : {subagent};
    const rules = this.#rules.about(situationOf({...call, ...caller, input: {}}, circumstances));
    // What asks is refused where no one can be asked.
    const passes = ({decision}: Rule): boolean =>
      decision === 'allow' || (decision === 'ask' && circumstances.interactive);
    for (const {rule, isPlain, tightens} of rules.filter((one) => !one.rule.sensitive)) {
      if (isPlain && (!tightens || !passes(rule))) return passes(rule);
      if (!isPlain && !tightens && passes(rule)) return true;
    }
    return fallbackOf(circumstances) !== 'deny';
  }

  #work(
    call: Judged,
    circumstances: Circumstances,
    {fallback, witness}: {readonly fallback: Decision; readonly witness?: Witness | undefined},
  ): Work {
    return {
      call,
      circumstances,
      root: circumstances.roots[0],
      selection: this.#select(call, circumstances),
      fallback,
      strengthOf: (rule) => this.#strengths.get(rule) ?? 0,
      world: this.world,
      witness,
    };
  }

  #select(
    call: Pick<Judged, 'tool' | 'input' | 'annotations' | 'server' | 'subagent'>,
    {mode, interactive, trusted, caller, sandboxed = false}: Circumstances,
  ): Selection {
    const situation = situationOf(call, {mode, interactive, trusted, caller, sandboxed});
    const {names, server, subagent, annotations} = situation;
    const who = [server, subagent, caller ?? null, annotations];
    const key = JSON.stringify([names, mode, interactive, trusted, situation.sandboxed, ...who]);
    const known = this.#selections.get(key);
    if (known) return known;
    if (this.#selections.size >= MOST_SELECTIONS) this.#selections.clear();
    const selection = indexRules(this.#rules.about(situation));
    this.#selections.set(key, selection);
    return selection;
  }
}

/** A call without a shell line: each path that it touches, or all of it. */
function judgeSubjects(work: Work): readonly JudgedPart[] {
  return subjectsOf(work.call, work.circumstances).map((subject) => ({
    what: subject.path?.value ?? 'call',
    finding: judgeSubject(work, subject),
  }));
}

/** What a call deletes or moves changes as a whole. */
function judgeMoved(work: Work): readonly JudgedPart[] {
  const {effect, touches} = work.call;
  if (effect !== 'delete' && effect !== 'move') return [];
  return touches.flatMap(({kind, value}) =>
    kind === 'path' ? judgeChange(work, {path: value, what: value, reach: 'whole'}) : [],
  );
}

/** Whether rules of the product about commands let each part pass that needs a rule to pass. */
function isAllOfProduct(parts: readonly JudgedPart[]): boolean {
  const bases = parts.flatMap(({finding: {base}}) => base ?? []);
  return bases.length > 0 && bases.every(({source, command}) => source.tier === 'default' && command !== undefined);
}

/** What is written into a folder that git would take for a repository counts as written into `.git`. */
async function judgeGitFolders(work: Work, touches: Judged['touches']): Promise<readonly JudgedPart[]> {
  const parts: JudgedPart[] = [];
  for (const {kind, access, value} of touches) {
    const path =
      kind === 'path' && access === 'write' ? await gitPathOf(work.world.disk, value.replaceAll('\\', '/')) : undefined;
    if (path === undefined) continue;
    const part = judgePath(work, place(path, work.circumstances.roots), 'edit');
    if (part.finding.decision !== 'allow') parts.push({...part, what: value});
  }
  return parts;
}

/** What holds when no rule speaks. */
function fallbackOf({mode, interactive}: Circumstances): Decision {
  if (mode === 'yolo') return 'allow';
  return interactive ? 'ask' : 'deny';
}
