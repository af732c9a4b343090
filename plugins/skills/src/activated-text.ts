import type {SkillContent} from './contract.js';

/** What a model gets of an activated skill. */
export function describeActivated({skill: {name}, body, tree}: SkillContent): string {
  return [
    `<activated_skill name="${escapeMarkup(name)}">`,
    '  <instructions>',
    closeNothing(body),
    '  </instructions>',
    '',
    '  <available_resources>',
    closeNothing(tree),
    '  </available_resources>',
    '</activated_skill>',
  ].join('\n');
}

/** Text in which no frame of ours can be closed or opened. */
function closeNothing(text: string): string {
  return text.replace(/<(\s*\/?\s*(?:activated_skill|instructions|available_resources)\b)/gi, '&lt;$1');
}

/** Text for an element or an attribute. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
