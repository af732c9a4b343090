import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {noteUse, readVariant, type GivenVariant} from '../variant/variant.js';
import {varyInstruction} from '../variant/vary-instruction.js';
import {varyTools} from '../variant/vary-tools.js';

/** The variant of this process, as the person gave it to `gemini evals ablate`. It changes what models read. */
export default provide('eval-variant', {
  version: '1.0.0',
  scope: 'place',
  reserved: true,
  local: true,
  create({environment: {variables}}) {
    const use = async <T>(usual: T, vary: (variant: GivenVariant) => T | undefined): Promise<T> => {
      const varied = vary(readVariant(variables));
      if (varied === undefined) return usual;
      await noteUse(variables);
      return varied;
    };
    return {
      tools: (declared) =>
        use(declared, ({component, value}) =>
          component.kind === 'tool' ? varyTools(declared, component, value) : undefined,
        ),
      instruction: (sections) =>
        use(sections, ({component, value}) =>
          component.kind === 'instruction' ? varyInstruction(sections, component.section, value) : undefined,
        ),
      compression: (usual) =>
        use(usual, ({component, value}) => {
          if (component.kind !== 'compression' || usual[component.key] === undefined) return undefined;
          return component.key === 'threshold' ? {threshold: Number(value)} : {instruction: value};
        }),
    };
  },
});
