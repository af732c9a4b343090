import type { Form, FormField, FormValues } from '../contract/form.js';
type Value = FormValues[string] | undefined;
export declare function fieldFault(field: FormField, value: Value): string | undefined;
export declare function fillForm(
  { fields }: Form,
  values: FormValues,
):
  | {
      readonly values: FormValues;
    }
  | {
      readonly fault: string;
    };
export {};
