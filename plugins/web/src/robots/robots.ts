import {isToolError, ToolError} from '@gemini-kernel/kernel';
import type {Page} from '../contract.js';
import {readRobots, type RobotsRules} from './robots-rules.js';

const PROGRAM = 'gemini-cli';
const MOST_TEXT = 500 * 1024;
const MOST_HOSTS = 100;
const NOTHING_FORBIDDEN: RobotsRules = {permits: () => true};

/** Obeys the robots files of hosts, each read once in a session. */
export class Robots {
  readonly #rules = new Map<string, Promise<RobotsRules>>();

  constructor(private readonly fetchText: (url: string, signal: AbortSignal) => Promise<Page>) {}

  /** Throws ToolError PAGE_FORBIDDEN, or what cannot be fetched of the robots file. */
  async check(url: URL, signal: AbortSignal): Promise<void> {
    if (url.pathname === '/robots.txt') return;
    const rules = this.#rules.get(url.origin) ?? this.#read(url.origin, signal);
    this.#rules.set(url.origin, rules);
    const [oldest] = this.#rules.keys();
    if (this.#rules.size > MOST_HOSTS && oldest !== undefined) this.#rules.delete(oldest);
    try {
      if ((await rules).permits(url.pathname + url.search)) return;
    } catch (error) {
      this.#rules.delete(url.origin);
      throw error;
    }
    throw new ToolError('PAGE_FORBIDDEN', `${url.origin}/robots.txt forbids programs to fetch ${url.href}.`, {
      hint: 'Use another source, or ask the user to open the page.',
    });
  }

  /** What cannot be read for the moment forbids everything; what is not there, nothing. */
  async #read(origin: string, signal: AbortSignal): Promise<RobotsRules> {
    try {
      const {status, text = ''} = await this.fetchText(`${origin}/robots.txt`, signal);
      if (status < 400) return readRobots(text.slice(0, MOST_TEXT), PROGRAM);
      if (status < 500) return NOTHING_FORBIDDEN;
    } catch (error) {
      signal.throwIfAborted();
      if (!isToolError(error) || error.code === 'URL_PRIVATE' || error.code === 'PAGE_RATE') throw error;
    }
    throw new ToolError('PAGE_FORBIDDEN', `${origin}/robots.txt, which may forbid it, cannot be read now.`, {
      hint: 'Try again later, or turn web.robots off.',
    });
  }
}
