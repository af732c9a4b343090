// Packs a skill that has no TODO left: node package_skill.cjs <folder> [<folder for the archive>]
const {basename, join, resolve} = require('node:path');
const {check, fail, runGemini} = require('./run_gemini.cjs');

const [folder, target = '.'] = process.argv.slice(2);
if (folder === undefined) fail('Usage: node package_skill.cjs <folder> [<folder for the archive>]');
const left = check(folder).find(({sentence}) => /TODO/.test(sentence));
if (left) fail(`The skill is not packed: ${left.sentence}`);
const file = join(resolve(target), `${basename(resolve(folder))}.skill`);
const {code, stdout, stderr} = runGemini(['skills', 'pack', '--output', file, '--force', '--', folder]);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
