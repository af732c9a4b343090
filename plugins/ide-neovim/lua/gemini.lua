-- Starts the companion with Neovim. Written by `gemini ide neovim --install`; `vim.g.gemini_command` names another program.
if vim.g.loaded_gemini_companion then return end
vim.g.loaded_gemini_companion = true

local function start()
  local command = vim.g.gemini_command or 'gemini'
  command = type(command) == 'table' and command or {command}
  if vim.fn.executable(command[1]) == 0 or vim.v.servername == '' then return end
  local words = vim.list_extend(vim.deepcopy(command), {'ide', 'neovim', '--attach', vim.v.servername})
  local said = {}
  local function hear(_, lines) vim.list_extend(said, lines) end
  vim.fn.jobstart(words, {on_stderr = hear, on_exit = function(_, code)
    if code ~= 0 and vim.v.exiting == vim.NIL then vim.notify('gemini: ' .. table.concat(said, '\n'), vim.log.levels.WARN) end
  end})
end

if vim.v.vim_did_enter == 1 then start() else vim.api.nvim_create_autocmd('VimEnter', {once = true, callback = start}) end
