import {createModelSuite} from '@gemini-kernel/plugin-agent/testing';
import {openGemini, openOpenai} from './model-subjects.js';

// node test/dist/helpers/run-model-suite.js gemini|openai: the suite in a process of its own, where errors and
// rejections are what they are for users. Prints JSON.
await using subject = await (process.argv[2] === 'openai' ? openOpenai() : openGemini());
const failed: string[] = [];
let passed = 0;
for (const {title, run} of createModelSuite(subject.suite)) {
  try {
    await run();
    passed += 1;
  } catch (error) {
    failed.push(`${title}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
process.stdout.write(
  JSON.stringify({passed: passed > 0, failed, faults: subject.server.faults, warnings: subject.kernel.warnings}),
);
