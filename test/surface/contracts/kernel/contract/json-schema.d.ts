export type JSONSchema = {
  readonly [keyword: string]: unknown;
};
type Properties<P, R> = {
  -readonly [K in keyof P as K extends R ? K : never]: FromSchema<P[K]>;
} & {
  -readonly [K in keyof P as K extends R ? never : K]?: FromSchema<P[K]>;
};
type Required<S> = S extends {
  readonly required: readonly (infer R)[];
}
  ? R
  : never;
export type FromSchema<S> = S extends {
  readonly const: infer C;
}
  ? C
  : S extends {
        readonly enum: readonly (infer E)[];
      }
    ? E
    : S extends {
          readonly type: 'string';
        }
      ? string
      : S extends {
            readonly type: 'integer' | 'number';
          }
        ? number
        : S extends {
              readonly type: 'boolean';
            }
          ? boolean
          : S extends {
                readonly type: 'array';
                readonly items: infer I;
              }
            ? FromSchema<I>[]
            : S extends {
                  readonly type: 'object';
                  readonly properties: infer P;
                }
              ? Properties<P, Required<S>>
              : unknown;
export {};
