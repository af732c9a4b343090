export const ASK_USER = 'ask_user';
