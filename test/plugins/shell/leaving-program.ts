import {openShell, run} from './open-shell.js';

// A program that leaves something running and does not close anything; it ends when there is nothing left to wait for.
const kernel = await openShell();
const {data} = await run(kernel, {command: "sh -c 'while :; do echo x; sleep 0.05; done' & sleep 0.2"});
process.stdout.write(`${kernel.project}\n${String((data['survivors'] as number[])[0])}\n`);
