// What the single binary starts with, itself and each of its threads: it runs the server's text, which is inside once and
// already compiled where that was possible. Plain JavaScript: it is put in as it is.
/* global module, require */
const path = require('node:path');
const { getAssetKeys, getRawAsset } = require('node:sea');
const { constants, Script } = require('node:vm');

const CODE_ASSET = 'program/main.cjs';
const CODE_CACHE_ASSET = 'program/main.cache';

const readAsset = (key) => Buffer.from(getRawAsset(key));
const script = new Script(readAsset(CODE_ASSET).toString('latin1'), {
  filename: 'main.cjs',
  // Of another Node or another system it is refused, and V8 compiles as if there were none.
  cachedData: getAssetKeys().includes(CODE_CACHE_ASSET) ? readAsset(CODE_CACHE_ASSET) : undefined,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
script.runInThisContext()(require, module, module.exports, process.execPath, path.dirname(process.execPath));
