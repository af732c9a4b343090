import {agent} from './agent.js';
import {a2a} from './a2a.js';
import {agents} from './agents.js';
import {call} from './call.js';
import {checkpoints} from './checkpoints.js';
import {codeBenches} from './code.js';
import {extensions} from './extensions.js';
import {fleet} from './fleet.js';
import {growth} from './growth.js';
import {benchIde} from './ide.js';
import {isolation} from './isolation.js';
import {manyIsolated} from './many-isolated.js';
import {mcp} from './mcp.js';
import {contextBench} from './context.js';
import type {Bench} from './measure.js';
import {places} from './places.js';
import {benchPlugins} from './plugins.js';
import {policies} from './policy.js';
import readRange from './read-range.js';
import replaceExact from './replace-exact.js';
import {benchSessions} from './sessions.js';
import {benchSearch} from './search.js';
import {sandbox} from './sandbox.js';
import {sdk} from './sdk.js';
import {shell} from './shell.js';
import {starts} from './start.js';
import {telemetry} from './telemetry.js';
import {terminal} from './terminal.js';
import {workspaceResolve} from './workspace-resolve.js';

/**
 * Runs every benchmark, or those whose names contain a word given, and prints a table of ratios; the exit code is 1
 * when a target is missed.
 */
async function main(words: readonly string[]): Promise<void> {
  const benches: readonly Bench[] = [
    ...starts,
    call,
    workspaceResolve,
    readRange,
    replaceExact,
    ...places,
    ...policies,
    ...shell,
    ...sandbox,
    ...sdk,
    ...agent,
    contextBench,
    ...a2a,
    ...agents,
    ...fleet,
    ...benchSessions(),
    ...checkpoints,
    ...benchSearch(),
    ...codeBenches,
    ...benchPlugins,
    ...benchIde,
    ...mcp,
    ...isolation,
    ...manyIsolated,
    ...extensions,
    ...telemetry,
    ...terminal,
    ...growth,
  ];
  const chosen = benches.filter(({name}) => words.length === 0 || words.some((word) => name.includes(word)));
  const width = Math.max(...chosen.map(({name}) => name.length));
  // Reading extra certificates delays every start of Node alike and hides what is measured.
  delete process.env['NODE_EXTRA_CA_CERTS'];
  process.stdout.write(`${'what'.padEnd(width)}  ratio   target\n`);
  for (const {name, target, run} of chosen) {
    const {ratio, detail} = await run();
    const isMet = ratio <= target.atMost;
    if (!isMet) process.exitCode = 1;
    process.stdout.write(
      `${name.padEnd(width)}  ${ratio.toFixed(2).padStart(5)}  ${isMet ? '<=' : '> '} ${target.atMost} of ` +
        `${target.of}  (${detail})\n`,
    );
  }
}

await main(process.argv.slice(2));
