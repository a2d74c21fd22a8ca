#include "dnc/program.hh"

int main(int argc, char** argv) { return tcplab::dnc::run_program(argc, argv, TCPLAB_VERSION); }
