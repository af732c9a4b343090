import {runChaos} from './fleet-chaos.js';

const [tasks = 500, workers = 8, steps = 3] = process.argv.slice(2).map(Number);
const report = await runChaos({tasks, workers, steps, killEveryMs: 2000, log: (line) => console.error(line)});
console.log(JSON.stringify(report, undefined, 2));
