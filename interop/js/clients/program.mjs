// What every program here says, and with which key: none that opens anything.
export const key = 'sk-test-not-a-real-key';
export const model = 'test-model';
export const prompt = 'How does it end?';
export const messages = [{ role: 'user', content: prompt }];
