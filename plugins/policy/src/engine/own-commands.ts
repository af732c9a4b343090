import type {SimpleCommand} from '../bash/analysis.js';
import {baseOf} from './command-match.js';

/** Our program under each name that it is started by. */
const PROGRAM = /^(?:gemini(?:\.(?:c?js|mjs|cmd|exe|ps1))?|(?:@google\/)?gemini-cli(?:@.*)?|gemini@.*)$/i;
/** Programs that start others, or run a file that they are given. */
const STARTERS = new Set([
  'node',
  'nodejs',
  'bun',
  'bunx',
  'deno',
  'tsx',
  'ts-node',
  'npx',
  'npm',
  'pnpm',
  'pnpx',
  'yarn',
  'corepack',
  'electron',
  'volta',
  'fnm',
  'nvm',
  'mise',
  'asdf',
]);

/**
 * The commands that only look; each line is the words that must come first. Whatever else is run changes or starts
 * something.
 */
const LOOKING = [
  '--help',
  '-h',
  '--version',
  '-v',
  'help',
  'doctor',
  'why',
  'policy check',
  'policy list',
  'policy explain',
  'policy test',
  'policy prove',
  'settings get',
  'settings list',
  'settings explain',
  'trust list',
  'trust explain',
  'directory show',
  'directory list',
  'directory explain',
  'plugins list',
  'plugins inspect',
  'plugins verify',
  'plugins audit',
  'bundle status',
  'bundle verify',
  'bundle diff',
  'tools list',
  'tools explain',
  'sessions list',
  'sessions show',
  'sessions search',
  'models',
  'ide status',
  'ide doctor',
].map((line) => line.split(' '));
/** Flags that name further rules or places, or ask less. */
const LOOSENING =
  /^(?:-y|--yes|--yolo|--skip-trust|--(?:approval-mode|allowed-tools|policy|admin-policy|include-directories)(?:=.*)?)$/;

/**
 * Whether a command runs this program in a way that may change what it obeys, or starts a session of its own. What is
 * not known counts.
 */
export function changesOwnRules({words}: SimpleCommand): boolean {
  const values = words.map(({value}) => value);
  const at = values.findIndex(
    (value) => value !== undefined && PROGRAM.test(value.startsWith('@google/') ? value : baseOf(value)),
  );
  const [first] = values;
  if (at < 0 || (at > 0 && !(first !== undefined && STARTERS.has(baseOf(first))))) return false;
  const given = values.slice(at + 1);
  if (given.some((word) => word === undefined || LOOSENING.test(word))) return true;
  return !LOOKING.some((line) => line.every((word, index) => given[index] === word));
}
