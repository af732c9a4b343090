export const ENTER = 'enter_plan_mode';
export const EXIT = 'exit_plan_mode';
export const PLAN_MODE = 'plan';
