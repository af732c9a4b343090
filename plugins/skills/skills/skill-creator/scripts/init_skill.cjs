// Creates a skill: node init_skill.cjs <name> --path <folder>
const {fail, runGemini} = require('./run_gemini.cjs');

const [name, flag, path = '.'] = process.argv.slice(2);
if (name === undefined || (flag !== undefined && flag !== '--path'))
  fail('Usage: node init_skill.cjs <name> --path <folder>');
if (/[/\\]/.test(name)) fail('Skill name cannot contain path separators.');
const {code, stdout, stderr} = runGemini(['skills', 'new', '--directory', path, '--', name]);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
