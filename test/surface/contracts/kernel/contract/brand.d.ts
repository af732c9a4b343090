export type Brand = 'tool' | 'service' | 'hook' | 'listener' | 'flag' | 'setting' | 'kernel-error' | 'tool-error';
export declare function brand<T extends object>(value: T, kind: Brand): T;
export declare function brandOf(value: unknown): Brand | undefined;
