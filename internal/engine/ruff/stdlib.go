package ruff

import "strings"

// stdlib lists the modules of the standard library that every Python had from
// 3.7 to 3.15. Source: the indices of modules in Python's documentation.
const stdlib = " __hello__ __phello__ _abc _ast _asyncio _bisect _blake2 _bz2 _codecs _codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr " +
	"_codecs_tw _collections _collections_abc _compat_pickle _contextvars _csv _ctypes _ctypes_test _curses _curses_panel _datetime " +
	"_dbm _decimal _elementtree _frozen_importlib _frozen_importlib_external _functools _gdbm _hashlib _heapq _imp _io _json _locale " +
	"_lsprof _lzma _markupbase _md5 _multibytecodec _multiprocessing _opcode _operator _osx_support _overlapped _pickle " +
	"_posixsubprocess _py_abc _pydecimal _pyio _queue _random _scproxy _sha1 _sha3 _signal _sitebuiltins _socket _sqlite3 _sre _ssl " +
	"_stat _string _strptime _struct _symtable _testbuffer _testcapi _testconsole _testimportmultiple _testmultiphase _thread " +
	"_threading_local _tkinter _tracemalloc _uuid _warnings _weakref _weakrefset _winapi _xxtestfuzz abc antigravity argparse array ast " +
	"asyncio atexit base64 bdb binascii bisect builtins bz2 cProfile calendar cmath cmd code codecs codeop collections colorsys " +
	"compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes curses dataclasses datetime dbm decimal difflib " +
	"dis doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc " +
	"genericpath getopt getpass gettext glob grp gzip hashlib heapq hmac html http idlelib imaplib importlib inspect io ipaddress " +
	"itertools json keyword linecache locale logging lzma mailbox marshal math mimetypes mmap modulefinder msvcrt multiprocessing netrc " +
	"nt ntpath nturl2path numbers opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib poplib posix " +
	"posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib " +
	"resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl " +
	"stat statistics string stringprep struct subprocess symtable sys sysconfig syslog tabnanny tarfile tempfile termios textwrap this " +
	"threading time timeit tkinter token tokenize trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest " +
	"urllib uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xml xmlrpc xx xxlimited xxsubtype zipapp zipfile " +
	"zipimport zlib "

// era are modules that only some versions have.
type era struct {
	from, to int // minor versions; 99: no end in sight
	names    string
}

var eras = [...]era{
	{0, 7, " macpath "},
	{0, 8, " _dummy_thread dummy_threading "},
	{0, 9, " _bootlocale formatter parser symbol "},
	{0, 10, " binhex "},
	{0, 11, " _sha256 _sha512 asynchat asyncore distutils imp smtpd "},
	{0, 12, " _crypt _msi aifc audioop cgi cgitb chunk crypt imghdr lib2to3 mailcap msilib nis nntplib ossaudiodev pipes sndhdr spwd sunau telnetlib uu xdrlib "},
	{0, 13, " _compression "},
	{0, 14, " sre_compile sre_constants sre_parse "},
	{8, 12, " _xxsubinterpreters "},
	{8, 99, " _posixshmem _statistics _testinternalcapi "},
	{9, 9, " _peg_parser "},
	{9, 11, " _bootsubprocess "},
	{9, 99, " _aix_support _zoneinfo graphlib zoneinfo "},
	{10, 99, " _testclinic xxlimited_35 "},
	{11, 99, " __hello_alias__ __hello_only__ __phello_alias__ _tokenize _typing tomllib "},
	{12, 12, " _xxinterpchannels "},
	{12, 99, " _pydatetime _pylong _sha2 _testsinglephase _wmi "},
	{13, 13, " _testexternalinspection "},
	{13, 99, " _android_support _apple_support _colorize _interpchannels _interpqueues _interpreters _ios_support _opcode_metadata _pyrepl _suggestions _sysconfig _testcapi_datetime _testclinic_limited _testlimitedcapi "},
	{14, 99, " _ast_unparse _hmac _py_warnings _remote_debugging _types _zstd annotationlib compression "},
	{15, 99, " _math_integer profiling "},
}

// isStdlib reports whether Python 3.minor brings a module.
func isStdlib(module string, minor int) bool {
	needle := " " + module + " "
	if strings.Contains(stdlib, needle) {
		return true
	}
	for _, e := range eras {
		if e.from <= minor && minor <= e.to && strings.Contains(e.names, needle) {
			return true
		}
	}
	return false
}
