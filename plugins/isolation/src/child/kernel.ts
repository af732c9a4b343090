export * from '@gemini-kernel/kernel';
