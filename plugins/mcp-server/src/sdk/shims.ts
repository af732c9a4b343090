// Replaces the module of the same exports in the bundle of the SDK.
export {default as process} from 'node:process';

/** Accepts everything: the kernel checks inputs, outputs and what comes of forms. */
export class DefaultJsonSchemaValidator {
  getValidator(): (input: unknown) => {readonly valid: true; readonly data: unknown; readonly errorMessage: undefined} {
    return (data) => ({valid: true, data, errorMessage: undefined});
  }
}
