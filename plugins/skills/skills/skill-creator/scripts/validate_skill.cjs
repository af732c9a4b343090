// Checks a skill: node validate_skill.cjs <folder>
const {relative, resolve, isAbsolute} = require('node:path');
const {check, fail} = require('./run_gemini.cjs');

const [folder] = process.argv.slice(2);
if (folder === undefined) fail('Usage: node validate_skill.cjs <folder>');
// A relative path that a model made up stays below the working directory; an absolute one is meant.
if (!isAbsolute(folder) && relative(process.cwd(), resolve(folder)).startsWith('..')) fail('Path traversal detected.');
const problems = check(folder);
for (const {sentence} of problems)
  console.log(/TODO/.test(sentence) ? `⚠️  Found unresolved TODO: ${sentence}` : `- ${sentence}`);
if (problems.some(({kind}) => kind !== 'advice')) process.exitCode = 1;
else console.log('Skill is valid!');
