export interface FormOption {
  readonly value: string;
  readonly label: string;
  readonly key?: string;
  readonly description?: string;
}
interface FieldBase {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
}
export type FormField = FieldBase &
  (
    | {
        readonly kind: 'yes-no';
        readonly default?: boolean;
      }
    | {
        readonly kind: 'choice';
        readonly options: readonly FormOption[];
        readonly default?: string;
      }
    | {
        readonly kind: 'several';
        readonly options: readonly FormOption[];
        readonly default?: readonly string[];
      }
    | {
        readonly kind: 'text' | 'secret' | 'file';
        readonly default?: string;
        readonly pattern?: {
          readonly source: string;
          readonly sentence: string;
        };
      }
  );
export type FormValues = Readonly<Record<string, string | boolean | readonly string[]>>;
export interface Form {
  readonly title: string;
  readonly text?: string;
  readonly about: {
    readonly kind: string;
    readonly [key: string]: unknown;
  };
  readonly fields: readonly FormField[];
}
export interface SentForm extends Form {
  readonly source: string;
  readonly isOurs: boolean;
}
export type FormAnswer =
  | {
      readonly outcome: 'answered';
      readonly values: FormValues;
    }
  | {
      readonly outcome: 'closed' | 'nobody';
    };
export type FormReply =
  | {
      readonly outcome: 'answered';
      readonly values: FormValues;
    }
  | {
      readonly outcome: 'closed';
    };
export {};
