import {runChaos} from './fleet-chaos.js';

// `npm run chaos -- <tasks> <workers> <steps> <redis or postgres>`; without a server, the queue is a journal.
const words = process.argv.slice(2);
const [tasks = 500, workers = 8, steps = 3] = words.slice(0, 3).map(Number);
const queue = words[3] === 'redis' || words[3] === 'postgres' ? words[3] : undefined;
const log = (line: string): void => console.error(line);
console.log(JSON.stringify(await runChaos({tasks, workers, steps, queue, killEveryMs: 2000, log}), undefined, 2));
