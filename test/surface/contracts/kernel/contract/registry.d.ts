export interface Services {}
export type ServiceName = keyof Services & string;
export interface Moments {}
export type MomentName = keyof Moments & string;
