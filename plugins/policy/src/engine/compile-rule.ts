import {onlyTightens, strengthOf, type Conditions, type Rule} from '../rule.js';
import {
  compileCommand,
  makePattern,
  permits,
  restricts,
  type CommandTest,
  type JudgedCommand,
  type Match,
  type Pattern,
} from './command-match.js';
import {compilePaths, type PathSystem, type PathTest, type PlacedPath} from './path-pattern.js';

/** One thing to be judged: a call, or one command or one path of it. */
export interface Subject {
  readonly effect: string;
  /** The arguments as stable JSON. */
  readonly json: string;
  readonly command?: JudgedCommand;
  readonly path?: PlacedPath;
  /** The root that counts when no path is touched. */
  readonly root: string | undefined;
}

/** Conditions that depend on more than which tool is called in which session. */
export interface Test {
  readonly command: CommandTest | undefined;
  readonly args: Pattern | undefined;
  readonly path: PathTest | undefined;
  readonly workspaceRoot: PathTest | undefined;
  readonly effect: ReadonlySet<string> | undefined;
}

/** A rule, made ready. */
export interface CompiledRule {
  readonly rule: Rule;
  /** Its place in the order of all rules: 0 is asked first. */
  readonly rank: number;
  readonly strength: number;
  readonly tightens: boolean;
  /** Speaks about every call of its tools. */
  readonly isPlain: boolean;
  readonly test: Test;
}

const severity = {deny: 0, ask: 1, allow: 2} as const;

/** Rules in the order they are asked: the strongest first, of equals the strictest, then as they were read. */
export function compileRules(rules: readonly Rule[], system: PathSystem): readonly CompiledRule[] {
  return rules
    .map((rule, index) => ({rule, index, strength: strengthOf(rule)}))
    .sort(
      (a, b) => b.strength - a.strength || severity[a.rule.decision] - severity[b.rule.decision] || a.index - b.index,
    )
    .map(({rule, strength}, rank) => {
      const isPlain = !rule.command && rule.args === undefined && !rule.path && !rule.workspaceRoot && !rule.effect;
      return {
        rule,
        rank,
        strength,
        tightens: onlyTightens(rule),
        isPlain,
        // Most rules are about other tools than those that a session calls.
        get test() {
          return testOf(rule, system);
        },
      };
    });
}

/** What was compiled of rules, for as long as they live: sessions of one program share the product's. */
const compiled = new WeakMap<Rule, {readonly system: PathSystem; readonly test: Test}>();

function testOf(rule: Rule, {ignoreCase, home}: PathSystem): Test {
  const known = compiled.get(rule);
  if (known?.system.ignoreCase === ignoreCase && known.system.home === home) return known.test;
  const test = compileTest(rule, {home, ignoreCase: ignoreCase || rule.ignoreCase === true});
  compiled.set(rule, {system: {ignoreCase, home}, test});
  return test;
}

/** Makes the conditions of a rule or a checker ready. */
export function compileTest({command, args, path, workspaceRoot, effect}: Conditions, system: PathSystem): Test {
  return {
    command: command && compileCommand(command),
    args: args === undefined ? undefined : makePattern(args),
    path: path && compilePaths(path, system),
    workspaceRoot: workspaceRoot && compilePaths(workspaceRoot, system),
    effect: effect && new Set<string>(effect),
  };
}

/** Whether a rule speaks about a subject. One that permits must do so without doubt. */
export function matchRule({rule, test}: Pick<CompiledRule, 'rule' | 'test'>, subject: Subject): Match {
  return matchTest(test, subject, rule.decision === 'allow');
}

/** Whether conditions hold for a subject. */
export function matchTest(test: Test, subject: Subject, mustBeSure: boolean): Match {
  if (test.effect && !test.effect.has(subject.effect)) return 'no';
  const byPath = matchPath(test.path, subject.path, mustBeSure);
  if (byPath === 'no' || !matchesRoot(test.workspaceRoot, subject)) return 'no';
  const byCommand = matchCommand(test.command, subject.command, mustBeSure);
  if (byCommand === 'no') return 'no';
  if (!test.args) return byPath === 'maybe' ? 'maybe' : byCommand;
  return matchArgs(test.args, subject, mustBeSure) ?? byCommand;
}

/** Undefined when they match, so that the command decides. */
function matchArgs(args: Pattern, {json, command}: Subject, mustBeSure: boolean): 'maybe' | 'no' | undefined {
  // What is not known in time counts as the stricter answer.
  if (args.test(json) ?? !mustBeSure) return undefined;
  // The arguments of a command whose name is not known could still be those.
  return !mustBeSure && command?.words?.[0] && command.words[0].value === undefined ? 'maybe' : 'no';
}

function matchPath(test: PathTest | undefined, path: PlacedPath | undefined, mustBeSure: boolean): Match {
  if (!test) return 'yes';
  if (!path) return 'no';
  if (test.matches(path)) return 'yes';
  return path.isShape && !mustBeSure && test.mayMatch(path) ? 'maybe' : 'no';
}

function matchCommand(test: CommandTest | undefined, command: JudgedCommand | undefined, mustBeSure: boolean): Match {
  if (!test) return 'yes';
  if (!command) return 'no';
  if (!mustBeSure) return restricts(test, command);
  return permits(test, command) ? 'yes' : 'no';
}

function matchesRoot(test: PathTest | undefined, subject: Pick<Subject, 'path' | 'root'>): boolean {
  if (!test) return true;
  const root = subject.path ? subject.path.root : subject.root;
  return root !== undefined && test.matches({value: root, root: undefined});
}
