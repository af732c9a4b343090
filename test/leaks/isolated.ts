import {openCommandLaboratory} from '../plugins/isolation/leak-command.js';
import {findLeaks, leakProbes, openLeakLaboratory} from '../plugins/isolation/leak-plugin.js';

/** The probes of the sandbox, from inside an isolated plugin. */
async function main(): Promise<void> {
  for (const inside of ['tool', 'listener', 'service', 'command'] as const) {
    await using place = await (inside === 'command' ? openCommandLaboratory() : openLeakLaboratory());
    const probes = leakProbes();
    const leaks = await findLeaks(place, inside, probes);
    for (const leak of leaks) console.log(`✗ ${leak}`);
    console.log(`${inside}: ${probes.length - leaks.length} held, ${leaks.length} leaked.`);
    if (leaks.length > 0) process.exitCode = 1;
  }
}

await main();
