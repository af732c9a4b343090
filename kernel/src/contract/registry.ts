// What plugins add to by augmenting this package: `declare module`. It imports nothing.

/** Every service by name; a plugin's contract adds its own by augmenting this module. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface Services {}

export type ServiceName = keyof Services & string;

/**
 * Every moment by name; a plugin's contract adds its own by augmenting this module.
 * A `transform` payload holds the value to change as `value`; `answer` is one listener's answer.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface Moments {}

export type MomentName = keyof Moments & string;
