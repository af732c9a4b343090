import type {Conditions} from '../rule.js';
import type {CompiledRule} from './compile-rule.js';
import {isAbout, isAboutSession, type Situation} from './selection.js';

/** Rules of one session that no single name finds. */
interface Wide {
  /** Those about every tool. */
  readonly all: readonly CompiledRule[];
  readonly some: readonly CompiledRule[];
}

const MOST_SESSIONS = 50;

/** Rules by the tools that they name: of hundreds of rules, few are about a given tool. */
export class RulesByTool {
  readonly #named = new Map<string, CompiledRule[]>();
  readonly #wide: CompiledRule[] = [];
  readonly #wideIn = new Map<string, Wide>();

  constructor(rules: readonly CompiledRule[]) {
    for (const one of rules) {
      const {tools} = one.rule;
      if (tools.some((tool) => tool.includes('*'))) this.#wide.push(one);
      else for (const tool of new Set(tools)) this.#add(tool, one);
    }
  }

  /** The rules about a situation, in the order they are asked. */
  about(situation: Situation): readonly CompiledRule[] {
    const {all, some} = this.#wideOf(situation);
    const named = new Set(situation.names.flatMap((name) => this.#named.get(name) ?? []));
    const more = [...some, ...named].filter(({rule}) => isAbout(rule, situation));
    return more.length === 0 ? all : [...all, ...more].sort((a, b) => a.rank - b.rank);
  }

  /** A prompt offers hundreds of tools in one session. */
  #wideOf(situation: Situation): Wide {
    const {mode, interactive, trusted, sandboxed, subagent, caller} = situation;
    const key = JSON.stringify([mode, interactive, trusted, sandboxed, subagent ?? null, caller ?? null]);
    const known = this.#wideIn.get(key);
    if (known) return known;
    if (this.#wideIn.size >= MOST_SESSIONS) this.#wideIn.clear();
    const found = this.#wide.filter(({rule}) => isAboutSession(rule, situation));
    const wide = {
      all: found.filter(({rule}) => isAboutEvery(rule)),
      some: found.filter(({rule}) => !isAboutEvery(rule)),
    };
    this.#wideIn.set(key, wide);
    return wide;
  }

  #add(tool: string, rule: CompiledRule): void {
    const known = this.#named.get(tool);
    if (known) known.push(rule);
    else this.#named.set(tool, [rule]);
  }
}

function isAboutEvery({tools, except, annotations, server, exceptServers}: Conditions): boolean {
  return tools.includes('*') && [except, annotations, server, exceptServers].every((one) => one === undefined);
}
