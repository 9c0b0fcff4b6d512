/** Lexer display names and the aliases people type, as `Name|alias alias`. Only data. */
export const codeLanguageTable = `
ABAP|abap
ABNF|abnf
ADL|adl
AMDGPU|amdgpu
ANSYS parametric design language|ansys apdl
ANTLR|antlr
ANTLR With ActionScript Target|antlr-actionscript antlr-as
ANTLR With C# Target|antlr-csharp antlr-c#
ANTLR With CPP Target|antlr-cpp
ANTLR With Java Target|antlr-java
ANTLR With ObjectiveC Target|antlr-objc
ANTLR With Perl Target|antlr-perl
ANTLR With Python Target|antlr-python
ANTLR With Ruby Target|antlr-ruby antlr-rb
APL|apl
ASCII armored|asc pem
ASN.1|asn1
ActionScript|actionscript as
ActionScript 3|actionscript3 as3
Ada|ada ada95 ada2005
Agda|agda
Aheui|aheui
Alloy|alloy
AmbientTalk|ambienttalk ambienttalk/2 at
Ampl|ampl
Angular2|ng2
ApacheConf|apacheconf aconf apache
AppleScript|applescript
Arduino|arduino
Arrow|arrow
Arturo|arturo art
AspectJ|aspectj
Asymptote|asymptote asy
Augeas|augeas
AutoIt|autoit
Awk|awk gawk mawk nawk
BARE|bare
BBC Basic|bbcbasic
BBCode|bbcode
BC|bc
BNF|bnf
BQN|bqn
BST|bst bst-pybtex
BUGS|bugs winbugs openbugs
Base Makefile|basemake
Bash|bash sh ksh zsh shell openrc
Bash Session|console shell-session
Batchfile|batch bat dosbatch winbatch
Bdd|bdd
Befunge|befunge
Berry|berry be
BibTeX|bibtex bib
BitBake|bitbake
BlitzBasic|blitzbasic b3d bplus
BlitzMax|blitzmax bmax
Blueprint|blueprint
Boa|boa
Boo|boo
Boogie|boogie
Brainfuck|brainfuck bf
C|c
C#|csharp c# cs
C++|cpp c++
CAmkES|camkes idl4
CBM BASIC V2|cbmbas
CDDL|cddl
CEL|cel
CFEngine3|cfengine3 cf3
CMake|cmake
COBOL|cobol
COBOLFree|cobolfree
COMAL-80|comal comal80
CPSA|cpsa
CSS|css
CSS+Django/Jinja|css+django css+jinja
CSS+Genshi Text|css+genshitext css+genshi
CSS+Lasso|css+lasso
CSS+Mako|css+mako
CSS+Myghty|css+myghty
CSS+PHP|css+php
CSS+Ruby|css+ruby css+erb
CSS+Smarty|css+smarty
CSS+UL4|css+ul4
CSS+mozpreproc|css+mozpreproc
CUDA|cuda cu
Caddyfile|caddyfile caddy
Cap'n Proto|capnp
CapDL|capdl
Carbon|carbon
Ceylon|ceylon
ChaiScript|chaiscript chai
Chapel|chapel chpl
Charmci|charmci
Cheetah|cheetah spitfire
Cirru|cirru
Clay|clay
Clean|clean
Clojure|clojure clj
ClojureScript|clojurescript cljs
CodeQL|codeql ql
CoffeeScript|coffeescript coffee-script coffee
Coldfusion CFC|cfc
Coldfusion HTML|cfm
Common Lisp|common-lisp cl lisp
Component Pascal|componentpascal cp
Crmsh|crmsh pcmk
Croc|croc
Cryptol|cryptol cry
Crystal|cr crystal
Csound Document|csound-document csound-csd
Csound Orchestra|csound csound-orc
Csound Score|csound-score csound-sco
Cypher|cypher
Cython|cython pyx pyrex
D|d
DASM16|dasm16
DTD|dtd
Darcs Patch|dpatch
Dart|dart
Dax|dax
Debian Control file|debcontrol control
Debian Sourcelist|debsources sourceslist sources.list
Debian Sources file|debian.sources
Delphi|delphi pas pascal objectpascal
Desktop file|desktop
Devicetree|devicetree dts
Diff|diff udiff
Django/Jinja|django jinja
Docker|docker dockerfile
Duel|duel jbst jsonml+bst
Dylan|dylan
Dylan session|dylan-console dylan-repl
DylanLID|dylan-lid lid
E-mail|email eml
EBNF|ebnf
ECL|ecl
ERB|erb
Earl Grey|earl-grey earlgrey eg
Easytrieve|easytrieve
Eiffel|eiffel
Elixir|elixir ex exs
Elixir iex session|iex
Elm|elm
Elpi|elpi
EmacsLisp|emacs-lisp elisp emacs
Embedded Ragel|ragel-em
Erlang|erlang
Erlang erl session|erl
Evoque|evoque
Ezhil|ezhil
F#|fsharp f#
FStar|fstar
Factor|factor
Fancy|fancy fy
Fantom|fan
Felix|felix flx
Fennel|fennel fnl
Fift|fift fif
Fish|fish fishshell
Flatline|flatline
FloScript|floscript flo
Forth|forth
Fortran|fortran f90
FortranFixed|fortranfixed
FoxPro|foxpro vfp clipper xbase
Freefem|freefem
FunC|func fc
Futhark|futhark
GAP|gap
GAP session|gap-console gap-repl
GAS|gas asm
GDScript|gdscript gd
GLSL|glsl
GSQL|gsql
Genshi|genshi kid xml+genshi xml+kid
Genshi Text|genshitext
Gettext Catalog|pot po
Gherkin|gherkin cucumber
Gleam|gleam
Gnuplot|gnuplot
Go|go golang
Golo|golo
GoodData-CL|gooddata-cl
GoogleSQL|googlesql zetasql
Gosu|gosu
Gosu Template|gst
GraphQL|graphql
Graphviz|graphviz dot
Groff|groff nroff man
Groovy|groovy
HLSL|hlsl
HSAIL|hsail hsa
HTML|html
HTML + Angular2|html+ng2
HTML+Cheetah|html+cheetah html+spitfire htmlcheetah
HTML+Django/Jinja|html+django html+jinja htmldjango
HTML+Evoque|html+evoque
HTML+Genshi|html+genshi html+kid
HTML+Handlebars|html+handlebars
HTML+Lasso|html+lasso
HTML+Mako|html+mako
HTML+Myghty|html+myghty
HTML+PHP|html+php
HTML+Smarty|html+smarty
HTML+Twig|html+twig
HTML+UL4|html+ul4
HTML+Velocity|html+velocity
HTTP|http
Haml|haml
Handlebars|handlebars
Hare|hare
Haskell|haskell hs
Haxe|haxe hxsl hx
Hexdump|hexdump
Hspec|hspec
Hxml|haxeml hxml
Hy|hylang hy
Hybris|hybris
IDL|idl
INI|ini cfg dosini
IRC logs|irc
Icon|icon
Idris|idris idr
Igor|igor igorpro
Inform 6|inform6 i6
Inform 6 template|i6t
Inform 7|inform7 i7
Io|io
Ioke|ioke ik
Isabelle|isabelle
J|j
JAGS|jags
JCL|jcl
JMESPath|jmespath jp
JSGF|jsgf
JSLT|jslt
JSON|json json-object
JSON-LD|jsonld json-ld
JSON5|json5
JSX|jsx react
Janet|janet
Jasmin|jasmin jasminxt
Java|java
Java Server Page|jsp
JavaScript|javascript js
JavaScript+Cheetah|javascript+cheetah js+cheetah javascript+spitfire js+spitfire
JavaScript+Django/Jinja|javascript+django js+django javascript+jinja js+jinja
JavaScript+Genshi Text|js+genshitext js+genshi javascript+genshitext javascript+genshi
JavaScript+Lasso|javascript+lasso js+lasso
JavaScript+Mako|javascript+mako js+mako
JavaScript+Myghty|javascript+myghty js+myghty
JavaScript+PHP|javascript+php js+php
JavaScript+Ruby|javascript+ruby js+ruby javascript+erb js+erb
JavaScript+Smarty|javascript+smarty js+smarty
Javascript+UL4|js+ul4
Javascript+mozpreproc|javascript+mozpreproc
Jsonnet|jsonnet
Julia|julia jl
Julia console|jlcon julia-repl
Juttle|juttle
K|k
Kal|kal
Kconfig|kconfig menuconfig linux-config kernel-config
Kernel log|kmsg dmesg
Koka|koka
Kotlin|kotlin
Kuin|kuin
Kusto|kql kusto
LDAP configuration file|ldapconf ldaprc
LDIF|ldif
LLVM|llvm
LLVM-MIR|llvm-mir
LLVM-MIR Body|llvm-mir-body
LSL|lsl
Lasso|lasso lassoscript
Lean|lean lean3
Lean4|lean4
LessCss|less
Lighttpd configuration file|lighttpd lighty
LilyPond|lilypond
Limbo|limbo
Literate Agda|literate-agda lagda
Literate Cryptol|literate-cryptol lcryptol lcry
Literate Haskell|literate-haskell lhaskell lhs
Literate Idris|literate-idris lidris lidr
LiveScript|livescript live-script
Logos|logos
Logtalk|logtalk
Lua|lua
Luau|luau
MAQL|maql
MCFunction|mcfunction mcf
MCSchema|mcschema
MIME|mime
MIPS|mips
MOOCode|moocode moo
MQL|mql mq4 mq5 mql4 mql5
MSDOS Session|doscon
MXML|mxml
Macaulay2|macaulay2
Makefile|make makefile mf bsdmake
Mako|mako
Maple|maple
Markdown|markdown md
Mask|mask
Mason|mason
Mathematica|mathematica mma nb wl wolfram
Matlab|matlab
Matlab session|matlabsession
Maxima|maxima macsyma
Meson|meson meson.build
MiniD|minid
MiniScript|miniscript ms
Modelica|modelica
Modula-2|modula2 m2
MoinMoin/Trac Wiki markup|trac-wiki moin
Mojo|mojo 🔥
Monkey|monkey
Monte|monte
MoonScript|moonscript moon
Mosel|mosel
Mscgen|mscgen msc
MuPAD|mupad
MySQL|mysql
Myghty|myghty
NASM|nasm
NCL|ncl
NSIS|nsis nsi nsh
Nemerle|nemerle
NestedText|nestedtext nt
NewLisp|newlisp
Newspeak|newspeak
Nginx configuration file|nginx
Nimrod|nimrod nim
Nit|nit
Nix|nixos nix
Node.js REPL console session|nodejsrepl
Notmuch|notmuch
NuSMV|nusmv
NumPy|numpy
Numba_IR|numba_ir numbair
OCaml|ocaml
ODIN|odin
OMG Interface Definition Language|omg-idl
Objective-C|objective-c objectivec obj-c objc
Objective-C++|objective-c++ objectivec++ obj-c++ objc++
Objective-J|objective-j objectivej obj-j objj
Octave|octave
Ooc|ooc
Opa|opa
OpenEdge ABL|openedge abl progress
OpenSCAD|openscad
Org Mode|org orgmode org-mode
PDDL|pddl
PEG|peg
PHP|php php3 php4 php5
PL/pgSQL|plpgsql
POVRay|pov
PRQL|prql
PTX|ptx
PacmanConf|pacmanconf
Pan|pan
ParaSail|parasail
Pawn|pawn
Perl|perl pl
Perl6|perl6 pl6 raku
Phix|phix
Pig|pig
Pike|pike
PkgConfig|pkgconfig
Pointless|pointless
Pony|pony
Portugol|portugol
PostScript|postscript postscr
PostgreSQL EXPLAIN dialect|postgres-explain
PostgreSQL SQL dialect|postgresql postgres
PostgreSQL console (psql)|psql postgresql-console postgres-console
PowerShell|powershell pwsh posh ps1 psm1
PowerShell Session|pwsh-session ps1con
Praat|praat
Procfile|procfile
Prolog|prolog
PromQL|promql
Promela|promela
Properties|properties jproperties
Protocol Buffer|protobuf proto
PsySH console session for PHP|psysh
Pug|pug jade
Puppet|puppet
PureScript|purescript purs
PyPy Log|pypylog pypy
Python|python py sage python3 py3 bazel starlark pyi
Python 2.x|python2 py2
Python 2.x Traceback|py2tb
Python Traceback|pytb py3tb
Python console session|pycon python-console
Python+UL4|py+ul4
Q|q
QBasic|qbasic basic
QML|qml qbs
QVTO|qvto qvt
Qlik|qlik qlikview qliksense qlikscript
RConsole|rconsole rout
REBOL|rebol
RHTML|rhtml html+erb html+ruby
RPMSpec|spec
RQL|rql
RSL|rsl
Racket|racket rkt
Ragel|ragel
Ragel in C Host|ragel-c
Ragel in CPP Host|ragel-cpp
Ragel in D Host|ragel-d
Ragel in Java Host|ragel-java
Ragel in Objective C Host|ragel-objc
Ragel in Ruby Host|ragel-ruby ragel-rb
Rd|rd
ReasonML|reasonml reason
Red|red red/system
Redcode|redcode
Rego|rego
Relax-NG Compact|rng-compact rnc
Rell|rell
ResourceBundle|resourcebundle resource
Rexx|rexx arexx
Ride|ride
Rita|rita
Roboconf Graph|roboconf-graph
Roboconf Instances|roboconf-instances
RobotFramework|robotframework
Rocq Prover|coq rocq rocq-prover
Ruby|ruby rb duby
Ruby irb session|rbcon irb
Rust|rust rs
S|splus s r
SARL|sarl
SAS|sas
SCSS|scss
SNBT|snbt
SPARQL|sparql
SQL|sql
SQL+Jinja|sql+jinja
SWIG|swig
Sass|sass
Savi|savi
Scala|scala
Scalate Server Page|ssp
Scaml|scaml
Scheme|scheme scm
Scilab|scilab
Sed|sed gsed ssed
ShExC|shexc shex
Shen|shen
Sieve|sieve
Silver|silver
Singularity|singularity
Slash|slash
Slim|slim
Slurm|slurm sbatch
Smali|smali
Smalltalk|smalltalk squeak st
SmartGameFormat|sgf
Smarty|smarty
Smithy|smithy
Snobol|snobol
Snowball|snowball
Solidity|solidity
Soong|androidbp bp soong
Sophia|sophia
SourcePawn|sp
Spice|spice spicelang
SquidConf|squidconf squid.conf squid
Srcinfo|srcinfo
Stan|stan
Standard ML|sml
Stata|stata do
SuperCollider|supercollider sc
Swift|swift
Systemd|systemd
TADS 3|tads3
TAP|tap
TASM|tasm
TLS Presentation Language|tls
TOML|toml
TSX|tsx
TableGen|tablegen td
Tact|tact
Tal|tal uxntal
Tcl|tcl
Tcsh|tcsh csh
Tcsh Session|tcshcon
TeX|tex latex
Tea|tea
Tera Term macro|teratermmacro teraterm ttl
Termcap|termcap
Terminfo|terminfo
Terraform|terraform tf hcl
Text only|text
Text output|output
ThingsDB|ti thingsdb
Thrift|thrift
Tl-b|tlb
Todotxt|todotxt
TrafficScript|trafficscript rts
Transact-SQL|tsql t-sql
Treetop|treetop
Turtle|turtle
Twig|twig
TypeScript|typescript ts
TypoScript|typoscript
TypoScriptCssData|typoscriptcssdata
TypoScriptHtmlData|typoscripthtmldata
Typographic Number Theory|tnt
Typst|typst
UL4|ul4
USD|usd usda
Unicon|unicon
Unix/Linux config files|unixconfig linuxconfig
UrbiScript|urbiscript
VB.net|vb.net vbnet lobas oobas sobas visual-basic visualbasic
VBScript|vbscript
VCL|vcl
VCLSnippets|vclsnippets vclsnippet
VCTreeStatus|vctreestatus
VGL|vgl
Vala|vala vapi
Velocity|velocity
Verifpal|verifpal
VimL|vim
Visual Prolog|visualprolog
Visual Prolog Grammar|visualprologgrammar
Vue|vue
Vyper|vyper
WDiff|wdiff
Web IDL|webidl
WebAssembly|wast wat
WebGPU Shading Language|wgsl
Whiley|whiley
Wikitext|wikitext mediawiki
World of Warcraft TOC|wowtoc
Wren|wren
X++|xpp x++
X10|x10 xten
XML|xml
XML+Cheetah|xml+cheetah xml+spitfire
XML+Django/Jinja|xml+django xml+jinja
XML+Evoque|xml+evoque
XML+Lasso|xml+lasso
XML+Mako|xml+mako
XML+Myghty|xml+myghty
XML+PHP|xml+php
XML+Ruby|xml+ruby xml+erb
XML+Smarty|xml+smarty
XML+UL4|xml+ul4
XML+Velocity|xml+velocity
XQuery|xquery xqy xq xql xqm
XSLT|xslt
XUL+mozpreproc|xul+mozpreproc
Xorg|xorg.conf
Xtend|xtend
YAML|yaml yml
YAML+Jinja|yaml+jinja salt sls
YANG|yang
YARA|yara yar
Zeek|zeek bro
Zephir|zephir
Zig|zig
Zone|zone
aspx-cs|aspx-cs
aspx-vb|aspx-vb
autohotkey|autohotkey ahk
c-objdump|c-objdump
cADL|cadl
ca65 assembler|ca65
cfstatement|cfs
cplint|cplint
cpp-objdump|cpp-objdump c++-objdumb cxx-objdump
d-objdump|d-objdump
dg|dg
eC|ec
execline|execline
g-code|gcode
liquid|liquid
mozhashpreproc|mozhashpreproc
mozpercentpreproc|mozpercentpreproc
nesC|nesc
objdump|objdump
objdump-nasm|objdump-nasm
reStructuredText|restructuredtext rst rest
reg|registry
scdoc|scdoc scd
sqlite3con|sqlite3
systemverilog|systemverilog sv
teal|teal
tiddler|tid
ucode|ucode
urlencoded|urlencoded
verilog|verilog v
vhdl|vhdl
xtlang|extempore
`;
