// The single binary and each of its threads start here. This script runs the server's code, which the binary holds once,
// already compiled where that was possible. Plain JavaScript, because the build copies it unchanged.
/* global module, require */
const path = require('node:path');
const { getAssetKeys, getRawAsset } = require('node:sea');
const { constants, Script } = require('node:vm');

const CODE_ASSET = 'program/main.cjs';
const CODE_CACHE_ASSET = 'program/main.cache';

const readAsset = (/** @type {string} */ key) => Buffer.from(getRawAsset(key));
const script = new Script(readAsset(CODE_ASSET).toString('latin1'), {
  filename: 'main.cjs',
  // V8 refuses a cache of another Node or another system, and then compiles as if there were none.
  cachedData: getAssetKeys().includes(CODE_CACHE_ASSET) ? readAsset(CODE_CACHE_ASSET) : undefined,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
script.runInThisContext()(require, module, module.exports, process.execPath, path.dirname(process.execPath));
