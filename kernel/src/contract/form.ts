/** One of the answers that a choice offers. */
export interface FormOption {
  readonly value: string;
  /** As a person reads it: `yes`, `parent folder and all in it`. */
  readonly label: string;
  /** The letter that stands for it where answers are typed. */
  readonly key?: string;
  readonly description?: string;
}

interface FieldBase {
  readonly name: string;
  /** What is asked, such as `Trust it?` or `API key`. */
  readonly label: string;
  readonly description?: string;
}

/** One thing that a form asks. A field without a default must be answered. */
export type FormField = FieldBase &
  (
    | {readonly kind: 'yes-no'; readonly default?: boolean}
    | {readonly kind: 'choice'; readonly options: readonly FormOption[]; readonly default?: string}
    | {readonly kind: 'several'; readonly options: readonly FormOption[]; readonly default?: readonly string[]}
    | {
        /** `secret`: shown to no one; `file`: a path, completed where that is possible. */
        readonly kind: 'text' | 'secret' | 'file';
        readonly default?: string;
        /** A regular expression for the whole text, with the sentence for a text that does not match. */
        readonly pattern?: {readonly source: string; readonly sentence: string};
      }
  );

/** The values of a form's fields by name. */
export type FormValues = Readonly<Record<string, string | boolean | readonly string[]>>;

/** A question to the person, as data: whichever user interface reaches the person shows it. */
export interface Form {
  /** One sentence. */
  readonly title: string;
  /** What to know before answering; lines. */
  readonly text?: string;
  /** For programs: what it is about, such as `{kind: 'trust', folder}`. */
  readonly about: {readonly kind: string; readonly [key: string]: unknown};
  readonly fields: readonly FormField[];
}

/** A form as user interfaces get it. */
export interface SentForm extends Form {
  /** The plugin that asks. One that was installed is named to the person. */
  readonly source: string;
  readonly isOurs: boolean;
}

/** What came of a form: values that fit its fields, closed without an answer, or no one there to answer. */
export type FormAnswer =
  {readonly outcome: 'answered'; readonly values: FormValues} | {readonly outcome: 'closed' | 'nobody'};

/** What a user interface gives for a form. */
export type FormReply = {readonly outcome: 'answered'; readonly values: FormValues} | {readonly outcome: 'closed'};
