import { vi } from 'vitest';

// The test files of a worker share the packages; each file starts with its own copy of our modules.
vi.resetModules();
