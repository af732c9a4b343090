import {listen, type Part} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Removes the values of secret variables from every tool result. If that fails, no result is returned. */
export default listen('tool:result', {
  phase: 'post',
  critical: true,
  async run({value}, {service}) {
    const secrets = await service('secrets');
    const {model, display, plain} = value;
    const clean = async (text: string): Promise<string> => (await secrets.redact(text)).text;
    const cleanPart = async (part: Part): Promise<Part> =>
      'text' in part ? {...part, text: await clean(part.text)} : part;
    const cleanModel = typeof model === 'string' ? await clean(model) : await Promise.all(model.map(cleanPart));
    const cleanDisplay =
      display === undefined ? undefined : display === model ? (cleanModel as string) : await clean(display);
    const cleanPlain = plain === undefined ? undefined : await clean(plain);
    const isSameModel =
      typeof model === 'string'
        ? cleanModel === model
        : model.every((part, index) => sameText(part, (cleanModel as readonly Part[])[index]));
    const isSame = isSameModel && cleanDisplay === display && cleanPlain === plain;
    const texts = {
      ...(cleanDisplay === undefined ? {} : {display: cleanDisplay}),
      ...(cleanPlain === undefined ? {} : {plain: cleanPlain}),
    };
    return isSame ? value : {...value, model: cleanModel, ...texts};
  },
});

function sameText(a: Part, b: Part | undefined): boolean {
  return a === b || (b !== undefined && 'text' in a && 'text' in b && a.text === b.text);
}
